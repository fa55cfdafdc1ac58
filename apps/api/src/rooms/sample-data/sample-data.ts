/** Public module of the sample data room, which fills an empty tenant with generated records. */
export { fillWithSampleData, SAMPLE_BUSINESSES_DEFAULT, SAMPLE_BUSINESSES_MAX } from './fill-with-sample-data.ts'
