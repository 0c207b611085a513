-- A statement counts and sums movements; without the captures, which are most of a busy wallet's transfers, and from the index alone.
create index transfer_movements on transfer (owner_id, id) include (kind, cents) where kind <> 'capture';
