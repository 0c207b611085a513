import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { link, mkdir, mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '#server/platform/storage/durable-files.ts'
import { OperatorError } from './operator-error.ts'

/** In DATA_DIR, mode 600, and in every backup. */
export const SECRET_KEY_FILE = 'secret.key'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * The installation's secret. Each `purpose` ('device-cookie', 'totp') has a key of its own, so that
 * a text signed or sealed for one purpose is worthless for another.
 */
export type SecretKey = {
  /** HMAC-SHA-256 of `text`, 43 characters of base64url. */
  sign(purpose: string, text: string): string
  /** Compares in constant time. */
  isSigned(purpose: string, text: string, signature: string): boolean
  /**
   * AES-256-GCM: nonce, tag, ciphertext. `owner` ('user:7') must be named again to unseal, so that
   * a sealed value cannot be moved to another row.
   */
  seal(purpose: string, owner: string, plain: Buffer): Buffer
  /** Throws when the value was sealed by another key, for another purpose or owner, or is damaged. */
  unseal(purpose: string, owner: string, sealed: Buffer): Buffer
}

/**
 * The key of SECRET_KEY or, without it, of DATA_DIR/secret.key, which the first start creates.
 * Processes on several machines need the same SECRET_KEY. Throws OperatorError when the file cannot
 * be read or written.
 */
export async function openSecretKey(config: {
  dataDir: string
  secretKey: string | undefined
}): Promise<SecretKey> {
  return secretKeyFrom(config.secretKey ?? (await readOrCreateKeyFile(config.dataDir)))
}

/** `secret` is any text with enough randomness; each purpose's key is derived from it. */
export function secretKeyFrom(secret: string): SecretKey {
  const keys = new Map<string, Buffer>()
  const keyFor = (purpose: string): Buffer => {
    let key = keys.get(purpose)
    if (!key)
      keys.set(purpose, (key = Buffer.from(hkdfSync('sha256', secret, '', purpose, KEY_BYTES))))
    return key
  }
  const sign = (purpose: string, text: string): Buffer =>
    createHmac('sha256', keyFor(purpose)).update(text).digest()
  return {
    sign: (purpose, text) => sign(purpose, text).toString('base64url'),
    isSigned(purpose, text, signature) {
      const [right, claimed] = [sign(purpose, text), Buffer.from(signature, 'base64url')]
      return right.length === claimed.length && timingSafeEqual(right, claimed)
    },
    seal(purpose, owner, plain) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', keyFor(purpose), nonce).setAAD(
        Buffer.from(owner),
      )
      const content = Buffer.concat([cipher.update(plain), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), content])
    },
    unseal(purpose, owner, sealed) {
      const nonce = sealed.subarray(0, NONCE_BYTES)
      const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
      const content = sealed.subarray(NONCE_BYTES + TAG_BYTES)
      const options = { authTagLength: TAG_BYTES }
      const decipher = createDecipheriv('aes-256-gcm', keyFor(purpose), nonce, options)
        .setAAD(Buffer.from(owner))
        .setAuthTag(tag)
      return Buffer.concat([decipher.update(content), decipher.final()])
    },
  }
}

async function readOrCreateKeyFile(dataDir: string): Promise<string> {
  const path = join(dataDir, SECRET_KEY_FILE)
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o711 })
    return (await readKeyFile(dataDir)) ?? (await createKeyFile(dataDir, path))
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(
      `The secret key ${path} cannot be read or written (${(error as NodeJS.ErrnoException).code}). `
        + 'Start Evenpost as the user who started it first, or set SECRET_KEY.',
      { cause: error },
    )
  }
}

/** The key in DATA_DIR/secret.key; null without one. Throws OperatorError when it is damaged. */
export async function readKeyFile(dataDir: string): Promise<string | null> {
  const path = join(dataDir, SECRET_KEY_FILE)
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (text === null) return null
  if (Buffer.from(text.trim(), 'base64').length >= KEY_BYTES) return text.trim()
  throw new OperatorError(
    `The secret key ${path} is damaged. Put it back from a backup (file ${SECRET_KEY_FILE}).`,
  )
}

/** The file gets its name when it is complete; of two concurrent starts the first one's key stays. */
async function createKeyFile(dataDir: string, path: string): Promise<string> {
  const folder = await mkdtemp(join(dataDir, '.secret-'))
  const draft = join(folder, SECRET_KEY_FILE)
  try {
    const file = await open(draft, 'wx', 0o600)
    await file.writeFile(`${randomBytes(KEY_BYTES).toString('base64')}\n`)
    await file.sync()
    await file.close()
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    await syncFolder(dataDir)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return (await readKeyFile(dataDir))!
}
