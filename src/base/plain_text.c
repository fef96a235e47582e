/* Text without control characters, see nsds_plain_text() in nsds/base.h. */
#include "base/base.h"

/* Bytes of the UTF-8 character that begins here; 0: it is none. */
static int character_size(const unsigned char *c) {
  if (c[0] < 0x80) return 1;
  int size = c[0] >= 0xC2 && c[0] < 0xE0   ? 2
             : c[0] >= 0xE0 && c[0] < 0xF0 ? 3
             : c[0] >= 0xF0 && c[0] < 0xF5 ? 4
                                           : 0;
  for (int k = 1; k < size; ++k)
    if (c[k] < 0x80 || c[k] > 0xBF) return 0; /* also the end of the text */
  bool overlong = (c[0] == 0xE0 && c[1] < 0xA0) || (c[0] == 0xF0 && c[1] < 0x90);
  bool no_character = (c[0] == 0xED && c[1] > 0x9F) || (c[0] == 0xF4 && c[1] > 0x8F);
  return overlong || no_character ? 0 : size;
}

/* Line breaks, escapes of terminals, and marks that turn the direction of the text behind them. */
static bool is_control(const unsigned char *c) {
  if (c[0] < 0x20 || c[0] == 0x7F) return true;
  if (c[0] == 0xC2) return c[1] < 0xA0;  /* U+0080 to U+009F */
  if (c[0] == 0xD8) return c[1] == 0x9C; /* U+061C */
  if (c[0] != 0xE2) return false;
  if (c[1] == 0x80) return c[2] == 0x8E || c[2] == 0x8F || (c[2] >= 0xA8 && c[2] <= 0xAE);
  return c[1] == 0x81 && c[2] >= 0xA6 && c[2] <= 0xA9;
}

char *nsds_plain_text(char *text) {
  unsigned char *c = (unsigned char *)text;
  while (c && *c) {
    int size = character_size(c);
    if (size == 0) *c++ = '?';
    else if (!is_control(c)) c += size;
    else
      for (; size > 0; --size) *c++ = ' ';
  }
  return text;
}
