import { linkOptions } from '@tanstack/react-router'
import { expect, test } from 'vitest'

/** Checked by the compiler: if a line compiles, its `@ts-expect-error` fails `npm run types`. */
test('a link to an unknown address, without its parameter, or with a wrong search does not compile', () => {
  expect(linkOptions({ to: '/jobs', search: { status: 'failed' } })).toBeDefined()
  expect(linkOptions({ to: '/jobs/$jobId', params: { jobId: 'job-1' } })).toBeDefined()
  expect(linkOptions({ to: '/settings/security-events', search: { user: 'user-1' } })).toBeDefined()
  // @ts-expect-error no such address
  expect(linkOptions({ to: '/nowhere' })).toBeDefined()
  // @ts-expect-error the parameter is missing
  expect(linkOptions({ to: '/jobs/$jobId' })).toBeDefined()
  // @ts-expect-error no such parameter of this address
  expect(linkOptions({ to: '/jobs/$jobId', params: { suggestionId: 'job-1' } })).toBeDefined()
  // @ts-expect-error no such status
  expect(linkOptions({ to: '/jobs', search: { status: 'lost' } })).toBeDefined()
  // @ts-expect-error the domain is missing
  expect(linkOptions({ to: '/domains/about' })).toBeDefined()
  // @ts-expect-error a filter of another list
  expect(linkOptions({ to: '/suppression', search: { assignee: 'user-1' } })).toBeDefined()
})
