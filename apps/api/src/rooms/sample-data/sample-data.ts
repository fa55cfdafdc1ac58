/** Fills an empty tenant with invented records. */
export { fillWithSampleData, SAMPLE_BUSINESSES_DEFAULT, SAMPLE_BUSINESSES_MAX } from './fill-with-sample-data.ts'
