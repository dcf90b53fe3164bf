"""For teachers: a graded course for nbgrader, quizzes for Moodle, archives."""
