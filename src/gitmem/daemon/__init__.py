"""When things run: one background process for each memory repository.

Law: it keeps no state that a restart cannot rebuild, and everything works without it.
Must not know how a memory is stored, synced or told; it asks the service.
"""
