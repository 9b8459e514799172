"""What is searched: part types, their scores, what is forbidden or required, the memory needed."""
