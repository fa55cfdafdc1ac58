import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants, existsSync } from 'node:fs'
import { access, mkdir, mkdtemp, readFile, rm, statfs } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import mysql from 'mysql2/promise'

/** A database server for tests only, with a private folder, a private socket and no network. */
export type TestServer = {
  socket: string
  /** ends the server at once, as a power failure would */
  kill(): Promise<void>
  /** starts the server again on the same data after kill(); these options override those of the first start */
  start(laterOptions?: string[]): Promise<void>
  /** ends the server and removes its folder */
  remove(): Promise<void>
}

const startTimeoutMs = 60_000
const startPollMs = 50
const memoryNeededBytes = 2 * 1024 ** 3

/** Options that make the server fast and less durable. The tests kill the server but never the machine. */
const quick = [
  '--innodb-flush-log-at-trx-commit=0',
  '--innodb-flush-method=nosync',
  '--innodb-doublewrite=0',
  '--innodb-buffer-pool-size=256M',
  '--performance-schema=OFF',
  '--skip-log-bin',
  // Only for MySQL 9.7, whose other way of checking foreign keys accepts some invalid rows (see the guide). With `loose`, other servers ignore the
  // option.
  '--loose-innodb-native-foreign-keys=ON',
]

/**
 * Starts Debian's MariaDB, or the server program that JOBCARD_STORE_SERVER names, so that the same tests can run on another version. If the tests run
 * as root, the server does too; its data is private and nobody else can connect.
 */
export async function startServer(options: string[] = []): Promise<TestServer> {
  const program = serverProgram()
  const folder = await mkdtemp(join(await quickFolder(), 'jobcard-store-'))
  const data = join(folder, 'data')
  const socket = join(folder, 'socket')
  const log = join(folder, 'log')
  // A private temporary folder, because a server empties its temporary folder when it starts. With a shared /tmp it would delete the tables of other
  // servers.
  const temporary = join(folder, 'tmp')
  await mkdir(temporary)
  const user = `--user=${userInfo().username}`
  initialize(program, data, user, [`--tmpdir=${temporary}`, ...options])
  let child: ChildProcess | undefined

  const kill = async () => {
    const running = child
    child = undefined
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return
    const ended = once(running, 'exit')
    running.kill('SIGKILL')
    await ended
  }
  const start = async (laterOptions: string[] = []) => {
    const files = [
      `--datadir=${data}`,
      `--tmpdir=${temporary}`,
      `--socket=${socket}`,
      `--pid-file=${join(folder, 'pid')}`,
      `--log-error=${log}`,
    ]
    child = spawn(
      program,
      ['--no-defaults', user, ...files, '--skip-networking', ...quick, ...options, ...laterOptions],
      {
        stdio: 'ignore',
      },
    )
    await untilReady(child, socket, log)
  }
  const remove = async () => {
    await kill()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await start()
  } catch (error) {
    await remove()
    throw error
  }
  return { socket, kill, start, remove }
}

/** Returns a folder in memory if enough memory is free, because the tests spend most of their time creating and dropping tables. */
async function quickFolder(): Promise<string> {
  const memory = '/dev/shm'
  try {
    const { bavail, bsize } = await statfs(memory)
    await access(memory, constants.W_OK)
    return bavail * bsize > memoryNeededBytes ? memory : tmpdir()
  } catch {
    // This machine has no file system in memory.
    return tmpdir()
  }
}

function serverProgram(): string {
  const named = process.env.JOBCARD_STORE_SERVER
  const program = named ?? ['/usr/sbin/mariadbd', '/usr/local/sbin/mariadbd', '/usr/bin/mariadbd'].find(existsSync)
  if (program !== undefined && existsSync(program)) return program
  throw new Error(
    'The tests of jobcard-store need MariaDB: apt-get install mariadb-server, or name one with JOBCARD_STORE_SERVER.',
  )
}

function initialize(program: string, data: string, user: string, options: string[]): void {
  const isMariaDb = execFileSync(program, ['--no-defaults', '--version'], { encoding: 'utf8' }).includes('MariaDB')
  if (!isMariaDb) {
    execFileSync(program, ['--no-defaults', '--initialize-insecure', user, `--datadir=${data}`, ...options], {
      stdio: 'ignore',
    })
    return
  }
  const install = process.env.JOBCARD_STORE_INSTALL ?? 'mariadb-install-db'
  const asRoot = ['--auth-root-authentication-method=normal', '--skip-test-db']
  execFileSync(install, ['--no-defaults', user, `--datadir=${data}`, ...asRoot, ...options], { stdio: 'ignore' })
}

async function untilReady(child: ChildProcess, socketPath: string, log: string): Promise<void> {
  const deadline = Date.now() + startTimeoutMs
  while (Date.now() < deadline && child.exitCode === null && child.signalCode === null) {
    try {
      const db = await mysql.createConnection({ socketPath, user: 'root' })
      await db.end()
      return
    } catch {
      // The server has not started yet. The refusal says no more, so the loop tries again until the server is up or has ended.
      await setTimeout(startPollMs)
    }
  }
  throw new Error(`The database server did not start:\n${await readFile(log, 'utf8').catch(() => '(no log)')}`)
}
