/* Numbers in messages: a format says "%d units", and the log makes "1 unit" of it where the number is 1. */
#ifndef TSR_BASE_PLURAL_H
#define TSR_BASE_PLURAL_H

/* Puts the nouns that follow a 1 into the singular, with the verb right behind them ("1 bytes are" becomes "1 byte is"), in
 * place. */
void tsr_plural_fix(char *text);

#endif
