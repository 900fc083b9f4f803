// Package calendar decides about appointments: values in, values out, with the time and the bookings handed in. It knows no gRPC and
// no NATS. Start reading at decide.go.
//
// Opening hours are readings of the clock on the rooftop's wall. A day opens at the first instant at which that clock reads the opening
// time or later, and closes after the last one at which it reads earlier than the closing time. So where clocks go forward over one of
// the two, the time of the change stands for it; and where they go back, an hour that comes twice opens with its first coming and closes
// with its second. (time.Date goes forward in some zones and back in others.)
//
// What is booked is compared as intervals of time, in the days that it was booked for. So hours, slots and capacity may change with
// bookings in place. A rooftop with another name is another one and has no bookings; with another zone, bookings within the difference
// of midnight may be on days that are not looked at.
package calendar
