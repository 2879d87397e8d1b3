/* Tessera's extensions of DART, which dart.h does not include: non-blocking and further collectives, two-sided
 * messages in all modes, notified access, and pointers of other interfaces. dart_wait, dart_test and the other
 * functions on handles in dart_communication.h also accept the handles of these extensions. */
#ifndef TESSERA_DART_EXT_H
#define TESSERA_DART_EXT_H

#include <dash/dart/if/dart_ext_collective.h>
#include <dash/dart/if/dart_ext_message.h>
#include <dash/dart/if/dart_ext_notify.h>
#include <dash/dart/if/dart_ext_pointer.h>

#endif
