-- Events that contradict their charge: few, and looked for by people.
create index card_events_resting on card_events (environment, received_at_ms)
  where applied_at_ms is null and try_at_ms is null;
