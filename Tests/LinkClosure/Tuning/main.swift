import Tuning
