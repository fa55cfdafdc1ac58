// Checks the conditions of a start before anything slow, and prints one sentence with the remedy for each problem.
// Plain JavaScript without packages: it runs on the machine's own Node.
// @ts-check

import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'

const { API_HOST, API_PORT, WEB_HOST, WEB_PORT, DATA_DIR = 'data' } = process.env

const problems = [
  API_PORT === WEB_PORT ? `API_PORT and WEB_PORT are both ${API_PORT}; give them different numbers.` : undefined,
  await portProblem('API', API_HOST, API_PORT, WEB_PORT),
  await portProblem('WEB', WEB_HOST, WEB_PORT, API_PORT),
  (await folderProblem(DATA_DIR)) ?? (await folderProblem(join(DATA_DIR, 'logs'))),
].filter((problem) => problem !== undefined)

for (const problem of problems) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : 0

/**
 * @param {string} name the prefix of the two variables
 * @param {string | undefined} host
 * @param {string | undefined} port
 * @param {string | undefined} other the port of the other server
 */
async function portProblem(name, host, port, other) {
  const number = Number(port)
  if (!Number.isInteger(number) || number < 1 || number > 65_535) {
    return `${name}_PORT is "${port}"; it must be a whole number from 1 to 65535.`
  }
  const code = await listenOnce(host, number)
  if (code === undefined) return undefined
  if (code === 'EADDRINUSE') {
    return `Port ${port} on ${host} is in use. Stop the program that uses it, or choose another: ${name}_PORT=${await freeBeside(host, number, Number(other))} script/start`
  }
  if (code === 'EACCES') {
    return `This account may not listen on port ${port}. Choose one above 1023 with ${name}_PORT.`
  }
  return `Nothing can listen on ${host} (${code}). Set ${name}_HOST to an address of this machine.`
}

/**
 * Returns the next free port after `taken`, continuing with 1024 after the last port.
 * @param {string | undefined} host
 * @param {number} taken
 * @param {number} other
 */
async function freeBeside(host, taken, other) {
  let port = taken
  do port = port === 65_535 ? 1_024 : port + 1
  while (port !== taken && (port === other || (await listenOnce(host, port)) !== undefined))
  return port
}

/**
 * @param {string | undefined} host
 * @param {number} port
 * @returns {Promise<string | undefined>} the error's code, undefined when the port is free
 */
function listenOnce(host, port) {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error) => resolve('code' in error ? String(error.code) : error.message))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)))
  })
}

/** @param {string} folder */
async function folderProblem(folder) {
  try {
    await makeFolder(folder)
    await rm(await mkdtemp(join(folder, '.writable-')), { recursive: true })
    return undefined
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return `DATA_DIR is ${DATA_DIR}, where nothing can be written (${why}). Give this account the right to write there, or choose another folder: DATA_DIR=… script/start`
  }
}

/**
 * Creates a folder and its parent folders. Node's `recursive` option never ends below /proc.
 * @param {string} folder
 */
async function makeFolder(folder) {
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return
    if (code !== 'ENOENT' || dirname(folder) === folder) throw error
    await makeFolder(dirname(folder))
    await mkdir(folder, { mode: 0o700 })
  }
}
