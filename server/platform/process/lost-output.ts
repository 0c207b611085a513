/**
 * Goes on when the output has no reader any more, such as a log collector that was restarted: its
 * lines are lost. Without this, the next line would end the process.
 */
export function ignoreLostOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}
