import { defineConfig } from '@playwright/test'

/**
 * Browser tests drive the built web app against the real API, both started for each worker on ports of their own
 * (apps/web/browser/fixtures.ts). The browser is Debian's; script/test installs it.
 */
export default defineConfig({
  testDir: 'apps/web/browser',
  testMatch: '*.spec.ts',
  globalSetup: './apps/web/browser/global-setup.ts',
  outputDir: 'test-results',
  workers: 2,
  // Two checks by axe in both themes take their time where the machine has other work.
  timeout: 90_000,
  expect: { timeout: 20_000 },
  // A shared machine may stand still for longer than anybody waits. A test that passes only then is named with the count.
  retries: process.env.CI ? 1 : 0,
  forbidOnly: true,
  reporter: 'list',
  use: {
    browserName: 'chromium',
    screenshot: 'only-on-failure',
    trace: 'off',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH || '/usr/bin/chromium-headless-shell',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
})
