// Chromium as the system has it, for tests and pictures; it sends nothing by itself.
import { chromium, type Browser } from 'playwright-core'

/** Where it is, when it is there. */
export const chromiumPath = '/usr/bin/chromium'

/** Starts it without a window. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
