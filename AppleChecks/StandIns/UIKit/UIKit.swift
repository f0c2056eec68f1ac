// UIKit. The project only checks whether it can be imported.
