/* Included before a case in C++, whose main is renamed: support/cases.c calls it as a function of C. */
extern "C" int main(int argc, char **argv);
