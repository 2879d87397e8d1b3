/* Extensions of DART by Tessera, which dart.h does not include: non-blocking and further collectives, two-sided messages
 * in all their modes, notified access, pointers of other interfaces. Handles are those of dart_communication.h: dart_wait,
 * dart_test and their relatives take handles from here and from there alike. */
#ifndef TESSERA_DART_EXT_H
#define TESSERA_DART_EXT_H

#include <dash/dart/if/dart_ext_collective.h>
#include <dash/dart/if/dart_ext_message.h>
#include <dash/dart/if/dart_ext_notify.h>
#include <dash/dart/if/dart_ext_pointer.h>

#endif
