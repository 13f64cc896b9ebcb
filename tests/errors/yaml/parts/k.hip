// Only its presence matters to the tests of configuration files.
