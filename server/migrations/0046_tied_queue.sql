-- Queued labels with a missing answer wait for their own carrier account. An account that sells nothing now claims only those, and
-- would otherwise read the whole queue at each poll.
create index order_queue_tied on shipment_order (user_id, id) where state = 'queued' and answer_missing_at is not null;
