/** Whether a store takes files now. Files that a carrier gives only a few times are fetched only if they can be stored. */
import { randomBytes } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { withTimeout } from '#server/platform/process/timeout.ts'
import type { FileStore } from './port.ts'

/** Replaced by each check. */
const CHECK_NAME = 'probe-of-the-file-store.txt'
/** As large as a label: a full disk may still take a few bytes. Random, as a disk may compress them. */
const CHECK_BYTES = randomBytes(256 * 1024)
/** A bucket never becomes full, and with versions each check is kept. */
const BUCKET_CHECK_BYTES = CHECK_BYTES.subarray(0, 16)
const CHECK_TIMEOUT_MS = 5_000
const KNOWN_FOR_MS = 10_000

/** `doubts`: how often it was doubted. */
type Finding = { worksUntil: number; check: Promise<boolean> | null; doubts: number }

const findings = new WeakMap<FileStore, Finding>()

function findingOf(files: FileStore): Finding {
  const finding = findings.get(files) ?? { worksUntil: 0, check: null, doubts: 0 }
  findings.set(files, finding)
  return finding
}

/**
 * Writes a file unless one was written a moment ago. One check at a time: a store that never answers is not asked again. Never throws.
 */
export async function takesFiles(files: FileStore, timeoutMs = CHECK_TIMEOUT_MS): Promise<boolean> {
  const finding = findingOf(files)
  if (performance.now() < finding.worksUntil) return true
  finding.check ??= check(files, finding)
  const { check: current } = finding
  return withTimeout(timeoutMs, () => current).catch(() => false)
}

async function check(files: FileStore, finding: Finding): Promise<boolean> {
  const { doubts } = finding
  try {
    const bytes = files.isBucket ? BUCKET_CHECK_BYTES : CHECK_BYTES
    await files.write(CHECK_NAME, async sink => void (await sink.write(bytes)))
    // A failure since then is newer than this result.
    if (finding.doubts !== doubts) return false
    finding.worksUntil = performance.now() + KNOWN_FOR_MS
    return true
  } catch {
    return false
  } finally {
    finding.check = null
  }
}

/** After a write that failed or did not end: the next call checks the store again. */
export function doubtStore(files: FileStore): void {
  const finding = findingOf(files)
  finding.worksUntil = 0
  finding.doubts++
}
