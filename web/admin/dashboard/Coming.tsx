import { Skeleton } from '#web/ui/Skeleton.tsx'
import { useWaiting } from '#web/ui/use-waiting.ts'

/** Stands for a value that is coming; nothing while it may still come at once. */
export function Coming({ width = '60%', height }: { width?: string; height?: string }) {
  return useWaiting(true) ? <Skeleton width={width} height={height} /> : null
}
