/** An SMTP server that keeps what it hears and answers as a test decides. */
import { createServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import { afterAll } from 'vitest'

export type MailServer = {
  /** smtp://127.0.0.1:… */
  url: string
  /** Lines of all clients. */
  heard: string[]
  /** Whole messages that were accepted. */
  accepted: string[]
  close(): Promise<void>
  /** On the same port again. */
  reopen(): Promise<void>
}

/** `answer`: the response to a command, or null for the usual one. */
export async function openMailServer(
  answer: (line: string) => string | null = () => null,
): Promise<MailServer> {
  const heard: string[] = []
  const accepted: string[] = []
  const sockets = new Set<Socket>()
  let server: Server
  let port = 0
  const listen = async (): Promise<void> => {
    server = createServer(socket => {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
      serve(socket, answer, heard, accepted)
    })
    await new Promise<void>(ready => server.listen(port, '127.0.0.1', ready))
    port = (server.address() as AddressInfo).port
  }
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy()
    await new Promise<void>(done => server.close(() => done()))
  }
  await listen()
  afterAll(close)
  return { url: `smtp://127.0.0.1:${port}`, heard, accepted, close, reopen: listen }
}

function serve(
  socket: Socket,
  answer: (line: string) => string | null,
  heard: string[],
  accepted: string[],
): void {
  let rest = ''
  let text: string[] | null = null
  const usual = (line: string): string => {
    if (line === 'DATA') {
      text = []
      return '354 go on'
    }
    if (line.startsWith('EHLO')) return '250-mail.example.com\r\n250 AUTH PLAIN'
    if (line.startsWith('AUTH')) return '235 welcome'
    return line === 'QUIT' ? '221 bye' : '250 ok'
  }
  socket.on('error', () => {})
  socket.write('220 mail.example.com ESMTP\r\n')
  socket.on('data', chunk => {
    const lines = (rest + chunk.toString()).split('\r\n')
    rest = lines.pop()!
    for (const line of lines) {
      heard.push(line)
      if (text && line !== '.') {
        text.push(line)
        continue
      }
      if (text) {
        const said = answer('.') ?? '250 accepted'
        if (said.startsWith('250')) accepted.push(text.join('\n'))
        text = null
        socket.write(`${said}\r\n`)
        continue
      }
      socket.write(`${answer(line) ?? usual(line)}\r\n`)
    }
  })
}
