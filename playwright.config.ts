import { defineConfig } from '@playwright/test'
import { chromiumPath } from './apps/web/browser/chromium-path.ts'
import { insecureHost } from './apps/web/browser/server.ts'

/**
 * Browser tests drive the built web app against the real API, both started per worker on their own ports
 * (apps/web/browser/fixtures.ts). The browser is Debian's; script/test installs it.
 */
export default defineConfig({
  testDir: 'apps/web/browser',
  testMatch: '*.spec.ts',
  globalSetup: './apps/web/browser/global-setup.ts',
  outputDir: 'test-results',
  // Three workers took as long on two cores, because a journey computes for most of its time.
  workers: 2,
  // Two axe checks in both themes are slow on a busy machine.
  timeout: 90_000,
  expect: { timeout: 20_000 },
  // A shared machine can stall beyond every timeout. A test that passes only on retry is reported with the count.
  retries: process.env.CI ? 1 : 0,
  forbidOnly: true,
  reporter: 'list',
  use: {
    browserName: 'chromium',
    screenshot: 'only-on-failure',
    trace: 'off',
    launchOptions: {
      executablePath: chromiumPath(),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        `--host-resolver-rules=MAP ${insecureHost} 127.0.0.1`,
      ],
    },
  },
})
