import { defineConfig } from 'vitest/config'

/** Tests that start servers as processes of their own, wait for them and end them: by far the longest. */
const PROCESSES = ['test/**/*.test.ts', 'src/cluster/**/*.test.ts']

const common = {
  testTimeout: 30_000,
  hookTimeout: 60_000,
  setupFiles: ['test/set-up.ts'],
}

export default defineConfig({
  test: {
    pool: 'forks',
    // Tests of processes wait for half of their time: one more than CI has cores keeps these busy.
    maxWorkers: 3,
    // In the order of their names, so the longest begin first and nobody waits for them alone at the end.
    projects: [
      { extends: true, test: { ...common, name: 'processes', include: PROCESSES } },
      // To load the modules again for each file took longer than most of these tests.
      {
        extends: true,
        test: { ...common, name: 'rooms', include: ['src/**/*.test.ts'], exclude: PROCESSES, isolate: false },
      },
    ],
  },
})
