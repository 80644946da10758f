"""The YAML head of a memory: cut it out, read it, change it, byte by byte.

Every function takes any bytes at all. Knows nothing of layers or what a field means.
"""
