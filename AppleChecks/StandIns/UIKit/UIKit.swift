// UIKit: the project only asks whether it is there.
