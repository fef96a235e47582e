/* Reads the card of an element. */
#ifndef NSDS_RUN_READ_ELEMENT_H
#define NSDS_RUN_READ_ELEMENT_H

#include "run/circuit/instance.h"

/* One element but X; those that name other elements (F, H, K, W) come in a second pass, `late`. */
nsds_status nsds_element_read(const nsds_instance *instance, const nsds_card *card, bool late);

#endif
