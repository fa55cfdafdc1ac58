import { createBusiness, getPipeline } from '@prospect/api-client'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { saveFailureOf, saveFailureTitle } from '../forms/save-failure.tsx'
import { ApiProblem, isUnanswered, unreachable } from './api-problem.ts'
import { configureApiClient } from './client.ts'
import { connectionNow, noteAnswer, noteFailure } from './connection.ts'
import { dataOf } from './data-of.ts'
import { askUntilAnswered } from './use-connection.ts'

let isOnLine = true
let answer: () => Promise<Response> = async () => Response.json({})
let window = new EventTarget()

beforeEach(() => {
  isOnLine = true
  window = new EventTarget()
  vi.stubGlobal('window', window)
  vi.stubGlobal('navigator', {
    get onLine() {
      return isOnLine
    },
  })
  configureApiClient('http://localhost')
  vi.stubGlobal('fetch', () => answer())
})
afterEach(() => {
  noteAnswer()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const save = () => dataOf(createBusiness({ body: { name: 'Karoo' } }))
const nothing = () => Promise.reject(new TypeError('Failed to fetch'))
const refusal = (status: number, code: string) => async () => Response.json({ status, code }, { status })

describe('an outage', () => {
  test.each([
    ['a result', async () => Response.json({}), 'online'],
    ['a refusal', refusal(403, 'permission_denied'), 'online'],
    ['a failure of the service itself', refusal(500, 'internal_error'), 'online'],
    ['a 503 of the web server', refusal(503, 'unavailable'), 'unreachable'],
    ['no answer', nothing, 'unreachable'],
  ])('ends with the first response of the service: %s', async (_, next, connection) => {
    noteFailure(unreachable())
    expect(connectionNow()).toBe('unreachable')
    answer = next
    await dataOf(getPipeline()).catch(() => {})
    expect(connectionNow()).toBe(connection)
  })

  test('the service is polled immediately when the browser comes back online, whatever the current pause', async () => {
    vi.useFakeTimers()
    noteFailure(unreachable())
    answer = nothing
    const stop = askUntilAnswered()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(connectionNow()).toBe('unreachable')
    answer = async () => Response.json({})
    window.dispatchEvent(new Event('online'))
    await vi.advanceTimersByTimeAsync(0)
    expect(connectionNow()).toBe('online')
    stop()
  })

  test('an error in the page itself does not start an outage', () => {
    noteFailure(new TypeError('a mistake'))
    expect(connectionNow()).toBe('online')
  })
})

describe('offline', () => {
  test('a save reports that the device is offline and that nothing was sent', async () => {
    isOnLine = false
    answer = nothing
    const error = await save().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ApiProblem)
    expect(isUnanswered(error)).toBe(false)
    const failure = saveFailureOf(error)
    expect(saveFailureTitle(failure)).toBe('Not saved')
    expect(failure.text).toBe('You are offline, so nothing was sent. Try again when you are back online.')
    noteFailure(error)
    expect(connectionNow()).toBe('offline')
  })

  test('a save that loses the network in flight is reported as unknown', async () => {
    answer = async () => {
      isOnLine = false
      return nothing()
    }
    const error = await save().catch((thrown: unknown) => thrown)
    expect(isUnanswered(error)).toBe(true)
  })

  test('a service on the same machine still responds', async () => {
    isOnLine = false
    answer = async () => Response.json({ id: 'b1' })
    expect(await save()).toEqual({ id: 'b1' })
    expect(connectionNow()).toBe('online')
  })
})
