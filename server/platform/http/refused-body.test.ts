import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { processBatch } from '#contract/batches.ts'
import { testApp } from '#tests/support/app.ts'

const KB = 1024
const MB = 1024 * KB
const app = await testApp()

test('the refusal of a body that is too large reaches its sender, who can send more on the same connection', async () => {
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

test('a body that is not JSON is refused before its first byte, and the refusal says what to send', async () => {
  const { port } = new URL(await app.listen())
  const ana = await app.register('Ana')
  const answerTo = (path: string, type: string): (() => string) => {
    const socket = connect(Number(port), '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    let answer = ''
    socket.on('data', data => (answer += data.toString()))
    const head = [
      `POST ${path} HTTP/1.1`,
      'Host: evenpost',
      `Token: ${ana.token}`,
      `Content-Type: ${type}`,
      `Content-Length: ${MB}`,
    ]
    // The body is never sent.
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    return () => answer
  }
  const paths = ['/api/auth/login', processBatch.path.replace(':userId', ana.user._id)]
  for (const path of paths) {
    for (const type of ['text/plain', 'text/plain; charset=utf-8', 'application/xml', 'odd']) {
      const answer = answerTo(path, type)
      await expect
        .poll(answer, { message: `${path} with ${type}` })
        .toMatch(/^HTTP\/1\.1 400 [^]*with the header Content-Type: application\/json/)
    }
  }
})
