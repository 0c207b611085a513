/**
 * The statements that fill a database, one after another. Each takes the plan's numbers as text;
 * nothing in them comes from outside. `$1` is the moment from which ages count.
 */
import { BATCH_PRICE_CENTS, labelsQuery, SINGLE_PRICE_CENTS } from './plan.ts'
import type { SeedPlan } from './plan.ts'
import { personNameSql, streetSql, townSql } from './receivers.ts'
import { DAYS } from './spread.ts'

const ago = (seconds: string): string => `$1::timestamptz - make_interval(secs => ${seconds})`

/**
 * Users with wallets, addresses and SKUs; every tenth was invited, half of them by the first. `seed_user` has
 * them by their place from 1 on.
 */
export const userStatements = ({ users, saved }: SeedPlan, passwordHash: string): string[] => [
  `create temp table seed_user as select k, (select coalesce(max(id), 0) from app_user) + k as id from generate_series(1, ${users}) k`,
  `insert into app_user (id, name, email, email_key, password_hash, role, activation, referral_code, referred_by, created_at)
    overriding system value
    select s.id, ${personNameSql('s.k')}, e.email, e.email, '${passwordHash}', case when s.k % 20 = 3 then 'friend' else 'user' end,
        case when s.k % 100 = 7 then 'block' else 'allow' end, 'SEED' || lpad(s.k::text, 6, '0'),
        case when s.k % 10 = 0 then s.id - s.k + case when s.k % 20 = 0 then 1 else 1 + s.k / 10 % 7 end end,
        ${ago(`${(DAYS + 1) * 86_400} + ${users} - s.k`)}
      from seed_user s, lateral (select 'seller' || s.k || '@example.com' as email) e order by s.k`,
  `insert into account (kind, owner_id) select kind, id from seed_user, unnest(array['available', 'held']) kind order by id, kind`,
  `create temp table seed_wallet as select owner_id as owner, min(id) filter (where kind = 'available') as available,
      min(id) filter (where kind = 'held') as held from account where owner_id is not null group by 1`,
  `alter table seed_wallet add primary key (owner)`,
  `insert into saved_address (user_id, address_id, name, street, city, state, zip)
    select s.id, 'Warehouse ' || n, ${personNameSql('s.k + n')}, n || ' Congress Ave', 'Austin', 'TX', '78701'
      from seed_user s, generate_series(1, case when s.k = 1 then ${saved.addresses} else 3 end) n`,
  `insert into sku (user_id, sku, max_qty, weight_lb, length_in, width_in, height_in, description)
    select s.id, 'SKU-' || lpad(n::text, 5, '0'), 1 + n % 4, 1 + n % 9, 9, 6, 3, 'Goods ' || n
      from seed_user s, generate_series(1, case when s.k = 1 then ${saved.skus} else 5 end) n`,
]

/** In cents: about $1,000 each, never less from the first on. */
const DEPOSITS = 'array[140000, 80000, 100000, 120000, 60000]'
/** Deposits come this long before the money is needed. */
const DEPOSIT_AHEAD_SECONDS = 3 * 86_400

/** Of the deposits of an owner: how many there are, and the cents and the age of number `part`. */
const depositsOf = ({ depositsAsNeeded, labels, spread }: SeedPlan) => {
  const firstAge = `${(DAYS + 1) * 86_400} - part * 60`
  return depositsAsNeeded
    ? {
        parts: `case when n.cents > 200000 then 2 + n.cents / 100000 else 1 end`,
        cents: `case when d.parts = 1 then (d.cents + 4999) / 5000 * 5000 else (${DEPOSITS})[1 + (part - 1) % 5] end`,
        age: `least(${firstAge}, ${DEPOSIT_AHEAD_SECONDS} + ${spread(`((part - 1) * ${labels} / d.parts)`, labels)})`,
      }
    : { parts: `1 + coalesce(n.cents, 0) / 500000`, cents: `d.cents / d.parts`, age: firstAge }
}

/**
 * Money for all that is bought, with some left: in deposits of at most $5,000 before the first
 * label, or as needed; and some money to be reviewed.
 */
export const depositStatements = (plan: SeedPlan): string[] => [
  `create temp table seed_need as
    select s.id as owner, 5000 + coalesce(n.cents, 0) as cents, ${depositsOf(plan).parts} as parts
      from seed_user s left join (
        select owner as k, sum(case when row is null then ${SINGLE_PRICE_CENTS} else ${BATCH_PRICE_CENTS} end) as cents
          from (${labelsQuery(plan, '0', String(plan.labels))}) p group by 1) n using (k)`,
  `insert into invoice (user_id, provider, external_id, status, paid_cents, confirmed_cents, credited_cents, credit_count, created_at,
      expires_at, next_lookup_at)
    select d.owner, 'sandbox', 'seed-' || d.owner || '-' || part, 'Settled', a.cents, a.cents, a.cents, 1,
        a.at, a.at + interval '15 minutes', 'infinity'
      from seed_need d, generate_series(1, d.parts) part,
        lateral (select ${ago(depositsOf(plan).age)} as at, ${depositsOf(plan).cents} as cents) a
      order by a.at`,
  `insert into invoice (user_id, provider, external_id, status, additional_status, paid_cents, confirmed_cents, needs_review, created_at,
      expires_at, next_lookup_at)
    select s.id, 'sandbox', 'late-' || s.k, 'Expired', 'PaidLate', 2500, 2500, true, $1, $1, 'infinity' from seed_user s where s.k <= 500`,
  `insert into transfer (owner_id, kind, debit_account_id, credit_account_id, cents, key, invoice_id, created_at)
    select i.user_id, 'deposit', (select id from account where kind = 'cash'), w.available, i.credited_cents,
        'deposit:sandbox:' || i.external_id || ':1', i.id, i.created_at
      from invoice i join seed_wallet w on w.owner = i.user_id where i.credit_count = 1 order by i.created_at, i.id`,
]

/**
 * The body of a sandbox number (docs of the sandbox carrier: 98, six zeros, thirteen digits) and
 * its check digit.
 */
const TRACKING = `('98000000' || lpad(serial::text, 13, '0') || ((10 - (35 + ${Array.from(
  { length: 8 },
  (_, place) => `(serial / ${10 ** place} % 10)${place % 2 === 0 ? ' * 3' : ''}`,
).join(' + ')}) % 10) % 10))`

/**
 * The labels of one chunk with all that the other tables say about them; `id` counts from 1, like
 * all numbers here.
 */
export const labelStatements = (plan: SeedPlan, from: number, to: number): string[] => [
  `create temp table if not exists seed_label (id bigint, owner bigint, batch_id bigint, row_no int, state text, at timestamptz,
      uid text, service text, price bigint, cost bigint, tracking text, receiver text, order_ref text)`,
  `truncate seed_label`,
  `insert into seed_label
    select n + 1, (select min(id) - 1 from seed_user) + p.owner,
        case when p.row is not null then p.cycle + 1 end, p.row, p.state, ${ago('p.age')},
        case when p.row is null then 'usps:PRIORITY_MAIL' else 'usps:GROUND_ADVANTAGE' end,
        case when p.row is null then 'USPS Priority Mail' else 'USPS Ground Advantage' end,
        case when p.row is null then ${SINGLE_PRICE_CENTS} else ${BATCH_PRICE_CENTS} end, case when p.row is null then 690 else 593 end,
        case when p.state in ('purchased', 'voiding', 'voided') then ${TRACKING.replaceAll('serial', '(n + 1)')} end,
        ${personNameSql('n')}, case when p.row is not null
          then 111 + p.cycle % 4 || '-' || lpad((n * 7919 % 10000000)::text, 7, '0') || '-' || lpad((n % 10000000)::text, 7, '0') end
      from (${labelsQuery(plan, String(from), String(to))}) p`,
  `analyze seed_label`,
  `insert into batch (id, user_id, status, content_hash, total_count, cost_cents, submission, processed_count, failed_count, pdf_name,
      result_name, created_at, accepted_at, finished_at, updated_at)
    overriding system value
    select b.batch_id, b.owner, case when b.failed > 0 then 'completed_with_errors' else 'completed' end, 'seed', b.rows, b.cost, 1, b.rows,
        b.failed, case when b.good > 0 then b.stem || '.pdf' end, b.stem || '-result.csv', b.at, b.at, b.at + interval '5 s',
        b.at + interval '5 s'
      from (select batch_id, owner, min(at) as at, count(*) as rows, sum(price) as cost,
              count(*) filter (where state in ('failed', 'unknown')) as failed,
              count(*) filter (where state in ('purchased', 'voiding')) as good,
              'SAMPLE-batch-' || batch_id || '-' || md5(batch_id::text) as stem
            from seed_label where batch_id is not null group by 1, 2) b order by 1`,
  `insert into label_file (name, user_id, batch_id, kind, bytes, sha256, created_at)
    select f.name, b.user_id, b.id, f.kind, 0, '', b.finished_at
      from batch b, lateral (values (b.pdf_name, 'pdf'), (b.result_name, 'result-csv')) f (name, kind)
      where f.name is not null and b.id in (select batch_id from seed_label)`,
  INSERT_ORDERS,
  INSERT_TALLIES,
  INSERT_ENTRIES,
  INSERT_CARRIER_CALLS,
  INSERT_SANDBOX_PURCHASES,
  INSERT_TRACKING,
  INSERT_TRANSFERS,
  insertAuditEntries(plan, from, to),
]

const INSERT_ORDERS = `insert into shipment_order (id, user_id, batch_id, row_no, state, attempt, fence, run_after,
    service_uid, service_name, price_cents, sender, receiver, package, order_ref, tracking_number,
    cost_cents, reason, queued_at, unknown_since, purchased_at,
    void_requested_at, void_requested_by, void_attempt, voided_at, created_at)
  overriding system value
  select id, owner, batch_id, row_no, state, 1, 1, case when state in ('unknown', 'voiding') then at + interval '10 years' else at end,
      uid, service, price,
      '{"name":"Mason Trading","company":"","phone":"","street1":"100 Congress Ave","street2":"","city":"Austin","state":"TX",'
        '"zip":"78701","country":"US"}',
      jsonb_build_object('name', receiver, 'company', '', 'phone', '', 'street1', id * 7919 % 9901 || ' ' || street, 'street2', '',
        'city', town[1], 'state', town[2], 'zip', town[3], 'country', 'US'),
      '{"length":9,"width":6,"height":3,"weight":1.5,"description":"","quantity":"1","sku":""}', order_ref, tracking,
      case when tracking is not null then cost end,
      case state when 'failed' then 'Address not deliverable' when 'unknown' then 'Being checked with the carrier' end, at,
      case when state = 'unknown' then at + interval '1 s' end, case when tracking is not null then at + interval '1 s' end,
      case when state in ('voiding', 'voided') then at + interval '1.5 s' end, case when state in ('voiding', 'voided') then owner end,
      case when state in ('voiding', 'voided') then 1 else 0 end, case when state = 'voided' then at + interval '2 s' end, at
    from seed_label, lateral (select string_to_array(${townSql('id')}, '|') as town, ${streetSql('id')} as street) t`

const INSERT_TALLIES = `insert into user_order_count as t (user_id, orders) select owner, count(*) from seed_label group by owner
  on conflict (user_id) do update set orders = t.orders + excluded.orders`

/** As order_search_words makes them, which takes a third of the time of an entry. */
const SEARCH_WORDS = `array_to_tsvector(string_to_array(l.owner || ':' || replace(
      translate(lower(concat_ws(' ', 'mason trading', l.receiver, l.order_ref)), 'é-', 'e '), ' ', ' ' || l.owner || ':'), ' '))`

const INSERT_ENTRIES = `insert into order_list_entry (user_id, position, order_id, placed_at, reference, search_words)
  select l.owner, t.orders - count(*) over (partition by l.owner) + row_number() over (partition by l.owner order by l.id), l.id, l.at,
      l.order_ref, ${SEARCH_WORDS}
    from seed_label l join user_order_count t on t.user_id = l.owner order by l.id`

const INSERT_CARRIER_CALLS = `insert into carrier_call
    (order_id, round, attempt, fence, act, started_at, finished_at, outcome, code, message)
  select l.id, 1, 1, 1, 'buy', l.at, l.at + interval '1 s',
      case l.state when 'failed' then 'permanent' when 'unknown' then 'unknown' else 'bought' end,
      case when l.state = 'failed' then 'ADDRESS_UNDELIVERABLE' end, case when l.state = 'failed' then 'Address not deliverable' end
    from seed_label l`

const INSERT_SANDBOX_PURCHASES = `insert into sandbox_purchase
    (attempt_key, reference, round, tracking_number, service_uid, cost_cents, request_hash, bought_at, voided_at)
  select id || ':1', id, 1, tracking, uid, cost, '', at + interval '1 s', case when state = 'voided' then at + interval '2 s' end
    from seed_label where tracking is not null`

/**
 * As if the carrier said where parcels are: handed over on the second day, delivered on the sixth,
 * and one in 400 gets lost.
 */
const INSERT_TRACKING = `insert into parcel_tracking (order_id, user_id, status, event_at, last_checked_at, next_check_at)
  select id, owner, case when at > $1::timestamptz - interval '1 day' then 'pre_transit' when id % 400 = 7 then 'failure'
        when at > $1::timestamptz - interval '5 days' then 'in_transit' else 'delivered' end,
      at + interval '1 day', at + interval '1 day', null
    from seed_label where tracking is not null`

const INSERT_TRANSFERS = `insert into transfer
    (owner_id, kind, debit_account_id, credit_account_id, cents, key, order_id, batch_id, round, reason, created_at)
  select m.owner, m.kind, case m.kind when 'hold' then w.available when 'refund' then house.refunds else w.held end,
      case m.kind when 'hold' then w.held when 'capture' then house.revenue else w.available end,
      m.cents, m.key, m.order_id, m.batch_id, m.round, m.reason, m.at
    from (
      select owner, 'hold' as kind, price as cents, 'hold:order:' || id || ':1' as key, id as order_id, null::bigint as batch_id,
          1 as round, null as reason, at, id as turn from seed_label where batch_id is null
      union all
      select owner, 'hold', sum(price), 'hold:batch:' || batch_id || ':1', null, batch_id, 1, null, min(at), min(id)
        from seed_label where batch_id is not null group by owner, batch_id
      union all
      select owner, 'capture', price, 'capture:order:' || id || ':1', id, batch_id, 1, null, at + interval '1 s', id
        from seed_label where tracking is not null
      union all
      select owner, 'release', price, 'release:order:' || id || ':1', id, batch_id, 1, 'Address not deliverable', at + interval '1 s', id
        from seed_label where state = 'failed'
      union all
      select owner, 'refund', price, 'refund:order:' || id, id, batch_id, null, null, at + interval '2 s', id
        from seed_label where state = 'voided') m
    join seed_wallet w on w.owner = m.owner
    cross join (select min(id) filter (where kind = 'revenue') as revenue, min(id) filter (where kind = 'refunds') as refunds
      from account) house
    order by m.at, m.turn`

/** As many lines of the audit as there are labels. */
const insertAuditEntries = ({ users, labels }: SeedPlan, from: number, to: number): string =>
  `insert into audit_entry (created_at, actor_id, subject_id, action, detail)
    select ${ago(`3600 + ${DAYS * 86_400} * (${labels} - n)::float8 / ${labels}`)}, owner, owner,
        case when n % 100 < 70 then 'login' when n % 100 < 85 then 'logout' when n % 100 < 95 then 'name' else 'login-denied' end, '{}'
      from (select n, (select min(id) from seed_user) + n * 48271::bigint % ${users} as owner from generate_series(${from}, ${to - 1}) n) e`

/**
 * The balances of all transfers at once: after each statement they take as long as the labels. Numbers go on behind the seeded ones.
 */
export const finalStatements = ({ labels }: SeedPlan): string[] => [
  `alter table balance disable trigger refuse_direct_balance_change`,
  `update balance b set debits = s.debits, credits = s.credits, deposited = s.deposited, refunded = s.refunded, captured = s.captured
    from (
      select account_id, sum(debits) as debits, sum(credits) as credits,
          coalesce(sum(credits) filter (where kind = 'deposit'), 0) as deposited,
          coalesce(sum(credits) filter (where kind = 'refund'), 0) as refunded,
          coalesce(sum(debits) filter (where kind = 'capture'), 0) as captured
        from (
          select debit_account_id as account_id, kind, sum(cents) as debits, 0 as credits from transfer group by 1, 2
          union all
          select credit_account_id, kind, 0, sum(cents) from transfer group by 1, 2) sides
        group by account_id) s
    where b.account_id = s.account_id`,
  `alter table balance enable trigger refuse_direct_balance_change`,
  ...['app_user', 'batch', 'shipment_order'].map(
    table =>
      `select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`,
  ),
  `select setval('sandbox_serial', ${labels + 1})`,
]
