"""The command line: parse, ask the service, print; one error boundary around it all.

Its law: a command holds no decision that another door would have to repeat. It must not
know how a room works, and nothing but `output` prints.
"""
