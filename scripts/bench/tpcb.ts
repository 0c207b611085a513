/**
 * The yardstick: the TPC-B-like transaction (three updates, one select, one insert) through `pg` with 16 clients. It says what
 * this machine's database can commit, so that our own figures can be given as ratios.
 */
import pg from 'pg'

const CLIENTS = 16
const ACCOUNTS = 100_000
const TELLERS = 100

/** Transactions a second over `seconds`, in a schema of its own that is dropped afterwards. */
export async function tpcb(url: string, seconds = 4): Promise<number> {
  const pool = new pg.Pool({ connectionString: url, max: CLIENTS })
  // Without a listener an idle connection that is lost ends the whole run.
  pool.on('error', error =>
    process.stderr.write(`The yardstick lost a connection: ${error.message}\n`),
  )
  try {
    await pool.query(`create schema if not exists yardstick;
      drop table if exists yardstick.branch, yardstick.teller, yardstick.account, yardstick.history;
      create table yardstick.branch (id int primary key, balance int not null) with (fillfactor = 10);
      create table yardstick.teller (id int primary key, balance int not null) with (fillfactor = 10);
      create table yardstick.account (id int primary key, balance int not null, filler char(84));
      create table yardstick.history (teller int, branch int, account int, delta int, at timestamptz, filler char(22));
      insert into yardstick.branch select g, 0 from generate_series(1, 10) g;
      insert into yardstick.teller select g, 0 from generate_series(1, ${TELLERS}) g;
      insert into yardstick.account select g, 0, '' from generate_series(1, ${ACCOUNTS}) g;`)
    const end = performance.now() + seconds * 1000
    const counts = await Promise.all(Array.from({ length: CLIENTS }, () => client(pool, end)))
    return counts.reduce((a, b) => a + b, 0) / seconds
  } finally {
    await pool.query('drop schema if exists yardstick cascade')
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
    const move = 'update yardstick.account set balance = balance + $1 where id = $2'
    await connection.query({ name: 'a', text: move, values: [delta, account] })
    await connection.query({
      name: 's',
      text: 'select balance from yardstick.account where id = $1',
      values: [account],
    })
    await connection.query({
      name: 't',
      text: 'update yardstick.teller set balance = balance + $1 where id = $2',
      values: [delta, teller],
    })
    await connection.query({
      name: 'b',
      text: 'update yardstick.branch set balance = balance + $1 where id = $2',
      values: [delta, branch],
    })
    await connection.query({
      name: 'h',
      text: 'insert into yardstick.history values ($1, $2, $3, $4, current_timestamp)',
      values: [teller, branch, account, delta],
    })
    await connection.query('commit')
    done++
  }
  connection.release()
  return done
}
