/* Numbers of the handlers that serve requests from other nodes. Their owners fill the transport's table at start. */
#ifndef TSR_CORE_HANDLERS_H
#define TSR_CORE_HANDLERS_H

enum tsr_handler {
  TSR_H_PUT, TSR_H_GET, TSR_H_FETCH, TSR_H_SWAP_IF, TSR_H_ACCUMULATE, TSR_H_SIGNAL, /* rma */
  TSR_H_NOTIFY, TSR_H_GET_NOTIFY,
  TSR_H_PUT_LAYOUT, TSR_H_GET_LAYOUT, TSR_H_PUT_IOV, TSR_H_GET_IOV,               /* vis */
  TSR_H_ACC_LAYOUT, TSR_H_ACC_IOV,
  TSR_H_MESSAGE,                                                                    /* p2p */
  TSR_H_AM, TSR_H_AM_DATA,                                                          /* am */
  TSR_H_TOPOLOGY, TSR_H_COLL_ERROR, TSR_H_FINISH, TSR_H_CTRL, TSR_H_WAITS           /* core */
};

#endif
