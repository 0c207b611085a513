/**
 * The reference for ratios: TPC-B-like transactions (three updates, one select, one insert) through
 * `pg` with 16 clients, as a measure of this machine's database.
 */
import pg from 'pg'

const CLIENTS = 16
const ACCOUNTS = 100_000
const TELLERS = 100

/** Transactions a second over `seconds`, in a schema that is dropped afterwards. */
export async function tpcb(url: string, seconds = 4): Promise<number> {
  const pool = new pg.Pool({ connectionString: url, max: CLIENTS })
  // Without a listener a lost idle connection would end the process.
  pool.on('error', error =>
    process.stderr.write(`The tpcb_reference lost a connection: ${error.message}\n`),
  )
  try {
    await pool.query(`create schema if not exists tpcb_reference;
      drop table if exists tpcb_reference.branch, tpcb_reference.teller, tpcb_reference.account, tpcb_reference.history;
      create table tpcb_reference.branch (id int primary key, balance int not null) with (fillfactor = 10);
      create table tpcb_reference.teller (id int primary key, balance int not null) with (fillfactor = 10);
      create table tpcb_reference.account (id int primary key, balance int not null, filler char(84));
      create table tpcb_reference.history (teller int, branch int, account int, delta int, at timestamptz, filler char(22));
      insert into tpcb_reference.branch select g, 0 from generate_series(1, 10) g;
      insert into tpcb_reference.teller select g, 0 from generate_series(1, ${TELLERS}) g;
      insert into tpcb_reference.account select g, 0, '' from generate_series(1, ${ACCOUNTS}) g;`)
    const end = performance.now() + seconds * 1000
    const counts = await Promise.all(Array.from({ length: CLIENTS }, () => client(pool, end)))
    return counts.reduce((a, b) => a + b, 0) / seconds
  } finally {
    await pool.query('drop schema if exists tpcb_reference cascade')
    await pool.end()
  }
}

async function client(pool: pg.Pool, end: number): Promise<number> {
  const connection = await pool.connect()
  let done = 0
  const any = (most: number) => 1 + Math.floor(Math.random() * most)
  while (performance.now() < end) {
    const [account, teller, branch, delta] = [
      any(ACCOUNTS),
      any(TELLERS),
      any(10),
      any(10_000) - 5_000,
    ]
    await connection.query('begin')
    const move = 'update tpcb_reference.account set balance = balance + $1 where id = $2'
    await connection.query({ name: 'a', text: move, values: [delta, account] })
    await connection.query({
      name: 's',
      text: 'select balance from tpcb_reference.account where id = $1',
      values: [account],
    })
    await connection.query({
      name: 't',
      text: 'update tpcb_reference.teller set balance = balance + $1 where id = $2',
      values: [delta, teller],
    })
    await connection.query({
      name: 'b',
      text: 'update tpcb_reference.branch set balance = balance + $1 where id = $2',
      values: [delta, branch],
    })
    await connection.query({
      name: 'h',
      text: 'insert into tpcb_reference.history values ($1, $2, $3, $4, current_timestamp)',
      values: [teller, branch, account, delta],
    })
    await connection.query('commit')
    done++
  }
  connection.release()
  return done
}
