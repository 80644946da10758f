"""Git, and the only room that speaks to it.

Every process runs with the flags and variables of `environment`, below a deadline, and
fails with an error of `failure` in Git's own words. Knows no memories and no policy:
what to commit, merge or push is decided elsewhere.
"""
