import { resolve } from 'node:path'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { chromiumPath } from './apps/web/browser/chromium-path.ts'
import { css } from './apps/web/css.ts'

// Caches compiled and type-stripped code between test processes, their store threads and started programs.
process.env.NODE_COMPILE_CACHE ||= resolve('node_modules/.cache/compiled')

/**
 * One project per workspace, for `vitest --project api`. `script` starts real servers on its own ports, so it belongs to script/test rather than to
 * the quick script/check.
 *
 * Forks instead of threads, because better-sqlite3 and argon2 are native, and a crash test that kills a process must not kill the runner.
 *
 * The tests of the API share their modules within a fork. Each test has its own store and app, and loading the API for each of more than a hundred
 * files would take a fifth of the time.
 */
export default defineConfig({
  test: {
    pool: 'forks',
    // One more than the cores of the smallest machine, because a third of the tests mostly wait: for started programs, intervals and disks.
    maxWorkers: 3,
    allowOnly: false,
    restoreMocks: true,
    unstubEnvs: true,
    // No test asserts a duration; these limits only end hanging tests. Vitest's defaults (1 s for a poll, 5 s for a test) fail on a busy machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'api',
          include: ['apps/api/**/*.test.ts'],
          globalSetup: 'apps/api/test/global-setup.ts',
          isolate: false,
          // Node imports an operator's file, so Vite must not.
          server: { deps: { external: [/\/adapters\.mjs$/] } },
        },
      },
      { extends: true, test: { name: 'web', include: ['apps/web/**/*.test.ts'] } },
      {
        // Component tests (`*.test.tsx`) render in a real browser. script/test and script/check run them as a separate stage.
        extends: true,
        css,
        test: {
          name: 'components',
          include: ['apps/web/src/**/*.test.tsx'],
          setupFiles: ['apps/web/test/setup.ts'],
          browser: {
            enabled: true,
            headless: true,
            provider: playwright({
              launchOptions: {
                executablePath: chromiumPath(),
                args: [
                  '--no-sandbox',
                  '--disable-gpu',
                  '--disable-quic',
                  '--no-first-run',
                  '--disable-background-networking',
                ],
              },
              // Transitions would make colours and sizes depend on the time of a check.
              contextOptions: { reducedMotion: 'reduce' },
              actionTimeout: 30_000,
            }),
            instances: [{ browser: 'chromium', viewport: { width: 1280, height: 800 } }],
            screenshotFailures: false,
          },
        },
        // A dependency that Vite discovers during a test would load a second React, so this list names all dependencies of the app and the tests.
        optimizeDeps: {
          entries: ['apps/web/src/main.tsx', 'apps/web/test/*.{ts,tsx}', 'apps/web/src/**/*.test.tsx'],
          include: ['react/jsx-dev-runtime', 'react-dom/client'],
        },
      },
      {
        extends: true,
        test: {
          name: 'packages',
          include: ['packages/**/*.test.ts'],
          // The web adapter is tested with the scans of the API.
          globalSetup: 'apps/api/test/global-setup.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'jobcard-store',
          include: ['jobcard-store/**/*.test.ts'],
          globalSetup: 'jobcard-store/test/global-setup.ts',
        },
      },
      {
        extends: true,
        test: { name: 'script', include: ['script/**/*.test.ts', 'bench/**/*.test.ts', 'examples/**/*.test.ts'] },
      },
    ],
  },
})
