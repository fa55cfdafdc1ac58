import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { median, wherePinned } from './processes.ts'

export function table(headings: string[], lines: string[][]): string {
  const all = [headings, ...lines]
  const widths = headings.map((_, column) => Math.max(3, ...all.map((line) => line[column]?.length ?? 0)))
  const draw = (line: string[]) =>
    `| ${widths.map((width, column) => (line[column] ?? '').padEnd(width)).join(' | ')} |`
  return [draw(headings), draw(widths.map((width) => '-'.repeat(width))), ...lines.map(draw), ''].join('\n')
}

/** Returns the word for a target. A missed target also sets the exit code of the benchmark to 1. */
export function verdict(met: boolean): string {
  if (!met) process.exitCode = 1
  return met ? 'met' : 'MISSED'
}

export function describeMachine(): string {
  const processor = cpus()[0]?.model.trim() ?? 'unknown processor'
  return `${new Date().toISOString().slice(0, 10)} · Node ${process.versions.node} · ${processor} × ${cpus().length} · ${wherePinned} · fsync ${fsyncMicroseconds().toFixed(0)} µs · load before ${loadavg()[0]?.toFixed(1)}\n`
}

/** Measures the duration of an fsync on this disk, on which the ratios of creates depend. */
function fsyncMicroseconds(): number {
  const folder = mkdtempSync(join(tmpdir(), 'prospect-bench-fsync-'))
  const file = openSync(join(folder, 'probe'), 'w')
  const page = Buffer.alloc(4096)
  const times = Array.from({ length: 300 }, (_, i) => {
    writeSync(file, page, 0, page.length, i * page.length)
    const started = performance.now()
    fsyncSync(file)
    return (performance.now() - started) * 1000
  })
  closeSync(file)
  rmSync(folder, { recursive: true })
  return median(times)
}
