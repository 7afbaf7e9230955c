/** Points and shapes on the sphere: how they are read, stored in cells, and found. */
export { distanceMeters, type GeoBox, latitudeSpan, longitudeReach } from './distance.js'
export { GeoCheck } from './geo-check.js'
export { type GeoPoint, readGeoPoint } from './geo-point.js'
export { GeoRegion } from './geo-region.js'
export { ShapeCheck, ShapeField } from './shape-field.js'
export { clearShapes, ShapeSink } from './shape-sink.js'
export { wrapLongitude } from './sphere.js'
export { shapesTouching } from './stored-shapes.js'
