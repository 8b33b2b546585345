// Tables of events that the core's deletion of test data reads. The room owns them.

/** An event of a store. */
export interface EventRow {
  merchant_id: string
  /** A transaction's code, or a saved card's. */
  subject: string
  /** From 1, in the order of the subject's events. */
  position: number
  type: string
  /** JSON. */
  data: string
  created_at: number
  /** When it is first sent. */
  next_attempt_at: number
  /** 1 until a worker has made a delivery of it for each endpoint. */
  waiting: number
}

export interface EventDeliveryRow {
  endpoint_code: string
  subject: string
  position: number
  attempts: number
  next_attempt_at: number
  /** The end of a worker's claim, by the machine's clock. */
  lease_until: number | null
  attempted_at: number | null
  status_code: number | null
  /** Why there was no response. */
  error: string | null
  done_at: number | null
  /** 1 while an earlier delivery of its subject is open at the endpoint. */
  blocked: number
  /** 1 once it was refused, until it is sent again. */
  repeated: number
}

export interface EventEndpointRow {
  code: string
  merchant_id: string
  url: string
  /** JSON; null for all types. */
  types: string | null
  /** Wrapped: see SecretWrapping. */
  secret: string
  previous_secret: string | null
  /** Until when the previous secret signs, by the machine's clock. */
  previous_until: number | null
  enabled: number
  created_at: number
  /** 1 if it accepted the last. */
  accepts: number
  failing_since: number | null
  /** When one delivery is tried while it has failed for long. */
  probe_at: number | null
  /** The last attempt that it did not accept. */
  refused_at: number | null
  refused_status: number | null
  refused_error: string | null
}

export interface EventTables {
  events: EventRow
  event_deliveries: EventDeliveryRow
  event_endpoints: EventEndpointRow
}
