// The parts of hyparquet-writer that shipx uses. The build makes this a separate file, which only --parquet loads.
export { ByteWriter, ParquetWriter } from 'hyparquet-writer'
