/** The front door of what an operator does to the service itself. */
export { fillWithSampleData, SAMPLE_BUSINESSES_DEFAULT, SAMPLE_BUSINESSES_MAX } from './sample-data.ts'
