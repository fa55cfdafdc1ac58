import { expect, test } from 'vitest'
import { contractSchema, parseContract } from './contract.rules.ts'

test('a retired purpose of a stored contract is ignored, and a new version cannot name it', () => {
  const stored = (purposes: string[]) => parseContract(JSON.stringify({ purposes, concurrency: 2 }))
  expect(stored(['dns', 'domain_availability'])).toEqual({ purposes: ['dns'], concurrency: 2 })
  // Without another purpose the item is missing, so the source is incomplete.
  expect(stored(['domain_availability']).purposes).toBeUndefined()
  expect(parseContract('{"concurrency":2}')).toEqual({ concurrency: 2 })
  expect(() => stored(['purchases'])).toThrow()
  expect(contractSchema.safeParse({ purposes: ['domain_availability'] }).success).toBe(false)
})
