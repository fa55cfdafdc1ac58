import { defineConfig } from 'vitest/config'

/** The container stack against a real engine, one file, in order: script/test-stack. */
export default defineConfig({
  test: {
    include: ['script/stack/*.stack.ts'],
    testTimeout: 300_000,
    fileParallelism: false,
    allowOnly: false,
    bail: 1,
  },
})
