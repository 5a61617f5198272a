import { defineConfig } from 'vitest/config'

const NEEDS_SERVERS = ['**/*.int.test.ts', '**/*.e2e.test.ts']

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts', 'web/src/**/*.test.{ts,tsx}'],
          exclude: [...NEEDS_SERVERS, '**/node_modules/**'],
        },
      },
      {
        test: {
          name: 'int',
          include: ['src/**/*.int.test.ts', 'test/**/*.int.test.ts'],
          globalSetup: ['test/support/global-setup.ts'],
          // Many of them wait for seconds, for time limits and restarts; vitest would run one file at a time on two cores.
          maxWorkers: 2,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/*.e2e.test.ts'],
          globalSetup: ['test/e2e/global-setup.ts'],
          // The files share one running product and follow one another.
          fileParallelism: false,
          testTimeout: 90_000,
          hookTimeout: 90_000,
        },
      },
    ],
  },
})
