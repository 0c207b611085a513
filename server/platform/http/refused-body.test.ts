import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { testApp } from '#tests/support/app.ts'

const KB = 1024

test('the refusal of a body that is too large reaches its sender, who can send more on the same connection', async () => {
  const app = await testApp()
  const { port } = new URL(await app.listen())
  const socket = connect(Number(port), '127.0.0.1')
  const errors: Error[] = []
  socket.on('error', error => errors.push(error))
  let answers = ''
  socket.on('data', data => (answers += data.toString()))
  const statuses = () => answers.match(/HTTP\/1\.1 \d+/g)

  socket.write(
    `POST /api/auth/login HTTP/1.1\r\nHost: evenpost\r\nContent-Type: application/json\r\nContent-Length: ${1_500 * KB}\r\n\r\n`,
  )
  await expect.poll(statuses).toEqual(['HTTP/1.1 413'])
  for (let sent = 0; sent < 1_500; sent += 100) {
    const isFlushed = new Promise(done => socket.write(Buffer.alloc(100 * KB, 'x'), done))
    await isFlushed
  }
  socket.write('GET /api/health HTTP/1.1\r\nHost: evenpost\r\n\r\n')
  await expect.poll(statuses).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200'])
  expect(errors).toEqual([])
  socket.destroy()
})
