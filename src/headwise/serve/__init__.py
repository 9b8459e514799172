"""HTTP: the page of the workbench, and parsing as a service.

    request → guard → route → queue → worker process → answer

The server itself only reads requests and passes on answers; all parsing is done by worker
processes, in which many requests are parsed together.
"""
