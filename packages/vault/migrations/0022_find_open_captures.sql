-- Captures and voids that have not ended, which are few.
create index card_captures_open on card_captures (created_at_ms) where ended_at_ms is null;
