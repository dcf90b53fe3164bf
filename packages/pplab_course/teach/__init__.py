"""For teachers: a graded course for nbgrader, quizzes for Moodle, archives.

The way of a mark, from file to file and process to process::

    export.py      notebooks as committed -> source/, release/ of nbgrader; a secret next to them
    nbgrader       submitted/STUDENT -> its own copy, with the preprocessors of our configuration
    marks.py       drop_copies, then give_marks: the cells of one hand-in, in order
    judge.py       a process that knows the secret and runs none of these cells
    cage.py        around the next process: no network, no files, no keys, no other process
    student.py     the student's process: runs the cells, answers in plain data (plain.py)
    judge.py       asks, judges, and signs what it found (HMAC with a key of this run)
    marks.py       believes a signed verdict alone, and writes it into the locked cells
    mark.py        reads nbgrader's gradebook: stored points, marks by hand, what is odd
"""
