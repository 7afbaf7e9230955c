declare module '*.json.gz?url' {
  const address: string
  export default address
}
